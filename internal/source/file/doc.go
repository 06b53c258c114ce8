// Package file is the source that reads saved dumps, archives, flight recordings and core files.
package file
