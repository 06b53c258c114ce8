// Package saturated finds executors without a free worker.
package saturated
