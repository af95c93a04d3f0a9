"""The processes that run one program together: how they meet, what they tell each other, and how they fail."""
