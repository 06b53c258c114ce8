// Package stack says what one stack shows: whose code each frame is, what the thread is inside of, what runs
// it, and whether it rests (idle.tsv, frameworks.tsv).
package stack
