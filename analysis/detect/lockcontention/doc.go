// Package lockcontention finds locks that threads wait for.
package lockcontention
