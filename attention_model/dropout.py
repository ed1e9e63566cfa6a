"""Dropout whose mask is drawn once a sentence and shared by all its positions (Gal & Ghahramani 2016)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class SharedDropout(nn.Module):
    """In training, sets the same random components to 0 at every position of a sentence and scales the others up.

    Sharing the mask suits recurrent states, and draws far fewer random numbers than a mask a position.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, states: Float[Tensor, "batch position feature"]) -> Float[Tensor, "batch position feature"]:
        """The states, thinned out in training and untouched otherwise."""
        if not self.training or self.share == 0:
            return states
        batch, _, size = states.shape
        kept = torch.empty(batch, 1, size, dtype=states.dtype).bernoulli_(1 - self.share)
        return states * kept.div_(1 - self.share)
