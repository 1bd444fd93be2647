"""Rules in styles that one would not expect to compile, and that do."""

from little_rules import Heap, Take


class Lists(Take):
    def actions(self, state):
        return [stones for stones in (1, 2, 3) if stones <= state.left]


class Messages(Take):
    def result(self, state, action):
        if action > state.left:
            raise ValueError(f"{action} of {state.left}")
        return Heap(state.left - action, 1 - state.player)


class Keywords(Take):
    def taken(self, state, stones=0):
        return Heap(player=1 - state.player, left=state.left - stones)

    def result(self, state, action):
        return self.taken(state, stones=action)


class Texts(Take):
    mode, limit = "plain", None

    def result(self, state, action):
        if self.mode == "odd" or self.limit is not None:
            return state
        return Heap(state.left - action, 1 - state.player)


STYLES = [Lists, Messages, Keywords, Texts]


class Talkative(Take):
    def utility(self, state, player):
        print("end", player)
        return 1
