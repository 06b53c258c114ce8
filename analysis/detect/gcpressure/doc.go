// Package gcpressure finds collections that cost much.
package gcpressure
