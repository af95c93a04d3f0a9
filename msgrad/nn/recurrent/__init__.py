"""Recurrent networks and their cells; a layer applied at each time step."""
