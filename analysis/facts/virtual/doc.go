// Package virtual tells which virtual threads carriers run, and what pins them.
package virtual
