// Package hotthread finds threads that use most of a core.
package hotthread
