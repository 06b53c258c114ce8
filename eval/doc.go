// Package eval judges the diagnosis on the programs of testdata/eval and
// testdata/frameworks: live, by `make eval`, and in every test run on recorded dumps
// of the same programs.
// It holds tests only.
package eval
