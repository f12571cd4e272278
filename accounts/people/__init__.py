"""People: who they are, how they sign up, log in and set things to their liking."""
