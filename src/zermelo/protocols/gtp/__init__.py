"""GTP, the language of Go programs: the server, and the client."""
