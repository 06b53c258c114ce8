// Package queuefull finds full queues.
package queuefull
