// Package jitpressure finds compilers that take the CPU.
package jitpressure
