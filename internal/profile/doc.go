// Package profile takes the samples of a profile: its engines are perf events, the flight recorder, async-profiler and
// thread dumps.
package profile
