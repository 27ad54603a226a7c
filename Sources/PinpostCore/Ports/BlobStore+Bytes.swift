extension BlobStore {
    /// Stores bytes that are in memory; blocks like every call of the port.
    public func store(_ bytes: [UInt8]) throws(StoreError) -> StoredBytes {
        let writer = makeWriter()
        do {
            try bytes.withUnsafeBufferPointer { (buffer) throws(StoreError) in
                try writer.write(UnsafeRawBufferPointer(buffer))
            }
            return try writer.finish()
        } catch {
            writer.discard()
            throw error
        }
    }
}
