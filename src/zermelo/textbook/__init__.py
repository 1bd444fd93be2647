"""The algorithms of the lectures as the lectures write them; they run on any game and can be traced."""
