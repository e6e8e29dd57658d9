# what students import
