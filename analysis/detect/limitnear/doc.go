// Package limitnear finds limits almost reached.
package limitnear
