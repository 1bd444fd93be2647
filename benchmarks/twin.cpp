// Connect Four by hand in C++: the same rules, the same minimax and alpha-beta, the same nodes as Zermelo's.
//
//     g++ -O3 -march=native -o twin twin.cpp && ./twin alphabeta 12
//
// With -DCOUNT it counts the nodes it looks at; without, it is timed.
//
// Prints: value nodes seconds (of processor time)
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

namespace {

constexpr int cols = 7, rows = 6;
constexpr int centre_first[cols] = {3, 2, 4, 1, 5, 0, 6};
constexpr std::uint64_t column_foot = 0x0040810204081ULL;
constexpr std::uint64_t board = column_foot * 63;
constexpr int infinity = 1000000;
std::int64_t nodes = 0;

inline void visit() {
#ifdef COUNT
    ++nodes;
#endif
}

struct Position {
    std::uint64_t mine, filled;

    int to_move() const { return __builtin_popcountll(filled) & 1; }

    bool is_open(int column) const { return !(filled >> (column * (rows + 1) + rows - 1) & 1); }

    Position play(int column) const {
        std::uint64_t drop = filled + (std::uint64_t(1) << (column * (rows + 1)));
        return {mine ^ filled, filled | drop};
    }

    bool has_line() const {  // of the player who just moved
        std::uint64_t stones = mine ^ filled;
        for (int step : {1, rows, rows + 1, rows + 2}) {
            std::uint64_t pairs = stones & (stones >> step);
            if (pairs & (pairs >> (2 * step))) return true;
        }
        return false;
    }

    bool is_terminal() const { return has_line() || filled == board; }

    int utility(int player) const {
        if (!has_line()) return 0;
        return player == to_move() ? -1 : 1;
    }
};

int minimax(const Position& state, int player, int depth) {
    visit();
    if (state.is_terminal()) return state.utility(player);
    if (depth == 0) return 0;
    bool maximising = state.to_move() == player;
    int best = maximising ? -infinity : infinity;
    for (int column : centre_first) {
        if (!state.is_open(column)) continue;
        int value = minimax(state.play(column), player, depth - 1);
        if (maximising ? value > best : value < best) best = value;
    }
    return best;
}

int alphabeta(const Position& state, int player, int depth, int alpha, int beta) {
    visit();
    if (state.is_terminal()) return state.utility(player);
    if (depth == 0) return 0;
    if (state.to_move() == player) {
        int best = -infinity;
        for (int column : centre_first) {
            if (!state.is_open(column)) continue;
            int value = alphabeta(state.play(column), player, depth - 1, best > alpha ? best : alpha, beta);
            if (value > best) best = value;
            if (best >= beta) break;
        }
        return best;
    }
    int best = infinity;
    for (int column : centre_first) {
        if (!state.is_open(column)) continue;
        int value = alphabeta(state.play(column), player, depth - 1, alpha, best < beta ? best : beta);
        if (value < best) best = value;
        if (best <= alpha) break;
    }
    return best;
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::fprintf(stderr, "usage: twin minimax|alphabeta DEPTH\n"), 2;
    int depth = std::atoi(words[2]);
    std::clock_t start = std::clock();
    int value = std::strcmp(words[1], "minimax") == 0 ? minimax({0, 0}, 0, depth)
                                                         : alphabeta({0, 0}, 0, depth, -infinity, infinity);
    double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%d %lld %.6f\n", value, static_cast<long long>(nodes), seconds);
}
