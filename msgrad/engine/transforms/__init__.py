"""What JAX does with a Program: transform ops, gradients of integers, rules of users, the chain rule over segments."""
