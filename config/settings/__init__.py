"""Settings: `base` is what all share; `play`, `dev`, `test` and `prod` say only what differs."""
