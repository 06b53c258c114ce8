// Package exhausted finds exhausted permits and pools.
package exhausted
