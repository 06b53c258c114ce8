// Package resources tells pooled and counted things, and which threads hold one by the frames between acquire
// and release.
package resources
