"""Other people's languages: our engine in their programs, their engines in our arena."""
