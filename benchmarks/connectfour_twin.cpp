// An exact Connect Four solver by hand in C++, as Pascal Pons' tutorial describes it ("Solving Connect 4: how to build a
// perfect AI", 2015): bitboards, moves that do not lose at once, ordered by the winning squares they make and then from the
// centre, a transposition table of 8 million words, and questions "more than this?" that halve the interval of scores.
//
//     g++ -O3 -march=native -o solver connectfour_twin.cpp && echo 4453 | ./solver
//
// Reads positions, one a line, as the columns played from the start. Prints for each: score nodes seconds (of processor time).
// A node is a position in which the side to move does not win at once. Every position starts with an empty table.
//
//     5 12 19 26 33 40 47     a column takes seven bits, from the bottom; the seventh stays empty
//     .  .  .  .  .  .  .
//     0  7 14 21 28 35 42
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Word = std::uint64_t;

constexpr int cols = 7, rows = 6, height = rows + 1, cells = cols * rows;
constexpr int worst = -cells / 2 + 3;  // the opponent's fourth stone
constexpr int outwards[cols] = {3, 2, 4, 1, 5, 0, 6};
constexpr Word feet = 0x0040810204081ULL;
constexpr Word board = feet * ((1 << rows) - 1);

constexpr Word column(int col) { return Word((1 << rows) - 1) << (col * height); }

Word winning_squares(Word stones, Word filled) {
    Word found = (stones << 1) & (stones << 2) & (stones << 3);
    for (int step : {rows, rows + 1, rows + 2}) {
        Word right = (stones << step) & (stones << 2 * step);
        Word left = (stones >> step) & (stones >> 2 * step);
        found |= right & ((stones << 3 * step) | (stones >> step));
        found |= left & ((stones >> 3 * step) | (stones << step));
    }
    return found & (board ^ filled);
}

struct Position {
    Word mine = 0, filled = 0;
    int stones = 0;

    Word landings() const { return (filled + feet) & board; }

    bool wins_at_once() const { return winning_squares(mine, filled) & landings(); }

    void play(Word square) {
        mine ^= filled;
        filled |= square;
        ++stones;
    }

    // The landing squares after which the opponent does not win at once; the side to move cannot win at once itself.
    Word safe() const {
        Word landing = landings(), their_wins = winning_squares(mine ^ filled, filled);
        Word forced = landing & their_wins;
        if (forced) {
            if (forced & (forced - 1)) return 0;
            landing = forced;
        }
        return landing & ~(their_wins >> 1);
    }

    Word key() const { return mine + filled; }
};

// 56 bits of key and 8 of value. A lower bound is stored above all upper bounds; 0 is nothing.
class Table {
    static constexpr Word size = 8388593;  // a prime
    std::vector<Word> entries = std::vector<Word>(size);

  public:
    void clear() { entries.assign(size, 0); }
    void put(Word key, int value) { entries[key % size] = key << 8 | Word(value); }
    int get(Word key) const {
        Word entry = entries[key % size];
        return entry >> 8 == key ? int(entry & 255) : 0;
    }
};

constexpr int upper_offset = 1 - worst, lower_offset = 2 - 3 * worst;

Table table;
std::int64_t nodes = 0;

// Fail-hard: the score if it lies between alpha and beta, otherwise the nearer of the two.
int negamax(const Position& at, int alpha, int beta) {
    ++nodes;
    Word safe = at.safe();
    if (!safe) return -(cells - at.stones) / 2;  // lost with the opponent's next stone
    if (at.stones >= cells - 2) return 0;
    int low = -(cells - 2 - at.stones) / 2;
    if (alpha < low) {
        alpha = low;
        if (alpha >= beta) return alpha;
    }
    int high = (cells - 1 - at.stones) / 2;
    if (beta > high) {
        beta = high;
        if (alpha >= beta) return beta;
    }
    Word key = at.key();
    if (int known = table.get(key)) {
        if (known > upper_offset - worst) {
            low = known - lower_offset;
            if (alpha < low) {
                alpha = low;
                if (alpha >= beta) return alpha;
            }
        } else {
            high = known - upper_offset;
            if (beta > high) {
                beta = high;
                if (alpha >= beta) return beta;
            }
        }
    }
    Word moves[cols];
    int promise[cols], count = 0;
    for (int col : outwards) {  // sorted by insertion: the best first, the more central of equals
        Word square = safe & column(col);
        if (!square) continue;
        int wins = __builtin_popcountll(winning_squares(at.mine | square, at.filled));
        int place = count++;
        for (; place > 0 && promise[place - 1] < wins; --place) {
            promise[place] = promise[place - 1];
            moves[place] = moves[place - 1];
        }
        promise[place] = wins;
        moves[place] = square;
    }
    for (int index = 0; index < count; ++index) {
        Position after = at;
        after.play(moves[index]);
        int score = -negamax(after, -beta, -alpha);
        if (score >= beta) {
            table.put(key, score + lower_offset);
            return score;
        }
        if (score > alpha) alpha = score;
    }
    table.put(key, alpha + upper_offset);
    return alpha;
}

int solve(const Position& at) {
    if (at.wins_at_once()) return (cells + 1 - at.stones) / 2;
    int low = -(cells - at.stones) / 2, high = (cells + 1 - at.stones) / 2;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle <= 0 && low / 2 < middle)
            middle = low / 2;
        else if (middle >= 0 && high / 2 > middle)
            middle = high / 2;
        int found = negamax(at, middle, middle + 1);
        if (found <= middle)
            high = found;
        else
            low = found;
    }
    return low;
}

}  // namespace

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        Position at;
        for (char name : line) at.play((at.filled + (Word(1) << (name - '1') * height)) & column(name - '1'));
        nodes = 0;
        table.clear();
        std::clock_t start = std::clock();
        int score = solve(at);
        std::printf("%d %lld %.6f\n", score, static_cast<long long>(nodes), double(std::clock() - start) / CLOCKS_PER_SEC);
        std::fflush(stdout);
    }
}
