"""The processes that run one program together: how they meet, exchange values, and fail together."""
