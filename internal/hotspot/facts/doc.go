// Package facts reads what objects hold that threads wait for or work for: locks and other synchronizers, futures,
// executors, queues and pools.
package facts
