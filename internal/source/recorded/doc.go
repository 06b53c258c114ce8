// Package recorded writes the readings of a source down and replays them.
package recorded
