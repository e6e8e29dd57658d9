import arithmetic.shapes
