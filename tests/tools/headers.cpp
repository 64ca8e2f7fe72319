// Owns the precompiled headers that all tests share.
