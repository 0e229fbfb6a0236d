// Package ecmascript is the ECMAScript data model (REC B.2).
package ecmascript
