// Package cpustarved finds threads that get no CPU.
package cpustarved
