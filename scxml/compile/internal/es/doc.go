// Package es makes Go code of the ECMAScript expressions of a chart, for package compile.
package es
