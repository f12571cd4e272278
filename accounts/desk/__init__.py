"""The desk: reports, moderation, data export and deletion. Stands above the matches, which know nothing of it."""
