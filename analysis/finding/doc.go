// Package finding holds findings, what they cite as evidence, and the words that all kinds share.
package finding
