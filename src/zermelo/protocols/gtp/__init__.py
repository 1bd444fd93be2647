"""GTP, the protocol of Go programs: the server and the client."""
