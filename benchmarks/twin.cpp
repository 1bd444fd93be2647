// Connect Four by hand in C++: the same rules, the same minimax and alpha-beta, the same nodes as Zermelo's.
//
//     g++ -O3 -march=native -o twin twin.cpp && ./twin alphabeta 12
//
// Prints: value nodes seconds
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace {

constexpr int cols = 7, rows = 6;
constexpr int centre_first[cols] = {3, 2, 4, 1, 5, 0, 6};
constexpr double infinity = std::numeric_limits<double>::infinity();
std::int64_t nodes = 0;

struct Position {
    std::uint64_t mine, filled;
    int ply;

    bool is_open(int column) const { return !(filled >> (column * (rows + 1) + rows - 1) & 1); }

    Position play(int column) const {
        std::uint64_t drop = filled + (std::uint64_t(1) << (column * (rows + 1)));
        return {mine ^ filled, filled | drop, ply + 1};
    }

    bool has_line() const {  // of the player who just moved
        std::uint64_t stones = mine ^ filled;
        for (int step : {1, rows, rows + 1, rows + 2}) {
            std::uint64_t pairs = stones & (stones >> step);
            if (pairs & (pairs >> (2 * step))) return true;
        }
        return false;
    }

    bool is_terminal() const { return has_line() || ply == cols * rows; }

    double utility(int player) const {
        if (!has_line()) return 0;
        return player == (ply & 1) ? -1 : 1;
    }
};

double minimax(const Position& state, int player, int depth) {
    ++nodes;
    if (state.is_terminal()) return state.utility(player);
    if (depth == 0) return 0;
    bool maximising = (state.ply & 1) == player;
    double best = maximising ? -infinity : infinity;
    for (int column : centre_first) {
        if (!state.is_open(column)) continue;
        double value = minimax(state.play(column), player, depth - 1);
        if (maximising ? value > best : value < best) best = value;
    }
    return best;
}

double alphabeta(const Position& state, int player, int depth, double alpha, double beta) {
    ++nodes;
    if (state.is_terminal()) return state.utility(player);
    if (depth == 0) return 0;
    if ((state.ply & 1) == player) {
        double best = -infinity;
        for (int column : centre_first) {
            if (!state.is_open(column)) continue;
            double value = alphabeta(state.play(column), player, depth - 1, best > alpha ? best : alpha, beta);
            if (value > best) best = value;
            if (best >= beta) break;
        }
        return best;
    }
    double best = infinity;
    for (int column : centre_first) {
        if (!state.is_open(column)) continue;
        double value = alphabeta(state.play(column), player, depth - 1, alpha, best < beta ? best : beta);
        if (value < best) best = value;
        if (best <= alpha) break;
    }
    return best;
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::fprintf(stderr, "usage: twin minimax|alphabeta DEPTH\n"), 2;
    int depth = std::atoi(words[2]);
    auto start = std::chrono::steady_clock::now();
    double value = std::strcmp(words[1], "minimax") == 0 ? minimax({0, 0, 0}, 0, depth)
                                                         : alphabeta({0, 0, 0}, 0, depth, -infinity, infinity);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%g %lld %.6f\n", value, static_cast<long long>(nodes), seconds.count());
}
