// Package recorded records the readings of a source and replays them.
package recorded
