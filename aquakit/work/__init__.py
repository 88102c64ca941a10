"""Long work in pieces: spread over any executor, kept in a file that is only added to, stopped and begun again."""
