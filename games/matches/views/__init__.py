"""The pages: each reads its request, calls one service or selector, and draws."""
