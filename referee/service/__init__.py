"""The gRPC services, one file for each."""
