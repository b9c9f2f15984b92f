package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// packed is the ending of the name of a packed image.
const packed = ".gz"

// errDamaged is wrapped by errors about files that cannot be unpacked.
var errDamaged = errors.New("the image is damaged")

// pack packs an image by gzip, as small as it gets. The header holds neither a name nor a time, so
// the bytes depend on the image and Go's version alone.
func pack(image []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(image); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpack is the opposite of pack. Its error wraps errDamaged.
func unpack(text []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	image, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return image, nil
}

// readImage returns the image that is packed in file.
func readImage(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return unpack(text)
}

// writeImage packs an image into file.
func writeImage(file string, image []byte) error {
	text, err := pack(image)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// shaOf is the SHA-256 of an image, in hexadecimal.
func shaOf(image []byte) string {
	s := sha256.Sum256(image)
	return hex.EncodeToString(s[:])
}
