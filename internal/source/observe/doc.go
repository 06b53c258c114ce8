// Package observe runs a source to its end and parses its entries into observations.
package observe
