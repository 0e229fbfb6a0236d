// Package compile turns charts into Go code.
package compile
