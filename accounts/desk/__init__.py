"""The desk: reports, moderation, data export and deletion. Stands above matches; still empty."""
