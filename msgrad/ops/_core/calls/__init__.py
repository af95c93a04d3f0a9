"""What runs at a call: arguments sorted, views linked, halves widened."""
