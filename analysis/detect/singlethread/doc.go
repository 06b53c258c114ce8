// Package singlethread finds blocked event loops and other threads that serve alone.
package singlethread
