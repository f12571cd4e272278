"""Block Buster, a game by Donghoon Lee (AURUM, 2008): its rules, drawings, bot and sentences. Rules: docs/rules/."""
