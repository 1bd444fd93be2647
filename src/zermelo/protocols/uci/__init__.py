"""UCI, the language of chess programs: the server, and the client."""
