// Package missedsignal finds waits that nothing explains.
package missedsignal
