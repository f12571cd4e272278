// Block Buster: composing a move on the board. The plain drawing offers only what needs no composing, the pass.
