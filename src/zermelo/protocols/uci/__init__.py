"""UCI, the protocol of chess programs: the server and the client."""
